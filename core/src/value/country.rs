//! Country codes: ISO 3166-1 alpha-2, and their alpha-3.

/// Every country, sorted: its two letters, then its three.
const COUNTRIES: &str = "\
    ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE \
    BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS \
    BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN \
    COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST \
    EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF \
    GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD \
    HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM \
    JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA \
    LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD \
    MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM \
    NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG \
    PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA \
    SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD \
    STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON \
    TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR \
    VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE";

/// Whether a text is the code of a country: two upper-case letters of the list.
#[must_use]
pub(crate) fn is_country(code: &str) -> bool {
    alpha3(code).is_some()
}

/// The three letters of a country that is given by its two; `None` for what is no country.
#[must_use]
pub fn alpha3(code: &str) -> Option<&'static str> {
    let is_code = code.len() == 2;
    COUNTRIES.split(' ').find_map(|country| country.strip_prefix(code)).filter(|_| is_code)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_list_holds_249_countries_each_once() {
        let countries: Vec<&str> = COUNTRIES.split(' ').collect();
        assert_eq!(countries.len(), 249);
        assert!(countries.iter().all(|country| country.len() == 5));
        assert!(countries.windows(2).all(|pair| pair[0].get(..2) < pair[1].get(..2)));
    }

    #[test]
    fn codes_are_found_and_other_texts_are_not() {
        for code in ["AD", "KW", "SA", "ZW", "AX", "TF"] {
            assert!(is_country(code), "{code}");
        }
        for text in ["", "K", "kw", "KWT", "KWKWT", "XX", "K ", "@A", "[A", "AA", "Z\u{e9}"] {
            assert!(!is_country(text), "{text}");
        }
    }
}
