//! Country codes: ISO 3166-1 alpha-2, and their alpha-3.

/// Every country, sorted: its two letters, then its three, and a space.
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
    VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE ";

/// How many bytes a country has in the list.
const WIDTH: usize = 6;

/// Whether a text is the code of a country: two upper-case letters of the list.
#[must_use]
pub(crate) fn is_country(code: &str) -> bool {
    alpha3(code).is_some()
}

/// The three letters of a country that is given by its two; `None` for what is no country.
#[must_use]
pub fn alpha3(code: &str) -> Option<&'static str> {
    let (countries, _) = COUNTRIES.as_bytes().as_chunks();
    let found = countries.binary_search_by(|[first, second, ..]: &[u8; WIDTH]| {
        [*first, *second].as_slice().cmp(code.as_bytes())
    });
    let start = found.ok()?.checked_mul(WIDTH)?;
    COUNTRIES.get(start.checked_add(2)?..start.checked_add(5)?)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_list_holds_249_countries_each_once() {
        let countries: Vec<&str> = COUNTRIES.split_terminator(' ').collect();
        assert_eq!(countries.len(), 249);
        assert!(countries.iter().all(|country| country.len() == 5));
        assert!(countries.windows(2).all(|pair| pair[0].get(..2) < pair[1].get(..2)));
    }

    #[test]
    fn codes_are_found_and_other_texts_are_not() {
        for code in ["AD", "KW", "SA", "ZW", "AX", "TF"] {
            assert!(is_country(code), "{code}");
        }
        assert_eq!(["AD", "KW", "ZW"].map(alpha3), [Some("AND"), Some("KWT"), Some("ZWE")]);
        for text in ["", "K", "kw", "KWT", "KWKWT", "XX", "K ", "@A", "[A", "AA", "Z\u{e9}"] {
            assert!(!is_country(text), "{text}");
        }
    }
}
