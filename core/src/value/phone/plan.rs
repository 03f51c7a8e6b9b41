//! The numbering plans of the world.

/// A line each: country, calling code, what is dialled before a number at home or `-`, and the lengths of numbers as bits, in
/// hexadecimal digits. The last lines are codes of no country.
const PLANS: &str = include_str!("plans.txt");

/// The plan of one country.
pub(super) struct CountryPlan {
    country: &'static str,
    /// The calling code.
    pub(super) code: &'static str,
    /// What is dialled before a number at home.
    trunk: Option<&'static str>,
    /// Bit n is set if numbers have n digits.
    lengths: u32,
}

impl CountryPlan {
    /// All plans, those of countries in their order.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        PLANS.lines().filter_map(Self::read)
    }

    /// The plan of a country.
    pub(super) fn of_country(country: &str) -> Option<Self> {
        Self::all().find(|plan| plan.country == country && country != "--")
    }

    fn read(line: &'static str) -> Option<Self> {
        let mut words = line.split(' ');
        let (country, code) = (words.next()?, words.next()?);
        let trunk = words.next().filter(|trunk| *trunk != "-");
        let lengths = u32::from_str_radix(words.next()?, 16).ok()?;
        Some(Self { country, code, trunk, lengths })
    }

    /// Whether every number has a zero before it at home.
    pub(super) fn has_trunk(&self) -> bool {
        self.trunk.is_some_and(|trunk| trunk.starts_with('0'))
    }

    /// The number without what is dialled before it at home; `None` if it has a length that numbers do not have.
    pub(super) fn national<'d>(&self, digits: &'d str) -> Option<&'d str> {
        let dialled = self.trunk.and_then(|trunk| digits.strip_prefix(trunk));
        // People write a zero also where none is dialled.
        let short = dialled.or_else(|| digits.strip_prefix('0')).filter(|rest| self.fits(rest));
        let is_dialled = self.has_trunk() && digits.starts_with('0');
        Some(digits).filter(|digits| self.fits(digits) && !is_dialled).or(short)
    }

    fn fits(&self, digits: &str) -> bool {
        let bit = u32::try_from(digits.len()).ok().and_then(|length| 1_u32.checked_shl(length));
        bit.is_some_and(|bit| self.lengths & bit != 0)
    }

    /// The fewest and the most digits of a number.
    pub(super) fn limits(&self) -> (usize, usize) {
        let mut found =
            (0..32).filter(|length| 1_u32.checked_shl(*length).is_some_and(|bit| self.lengths & bit != 0));
        let fewest = found.next().unwrap_or_default();
        let most = found.next_back().unwrap_or(fewest);
        let size = |length| usize::try_from(length).unwrap_or_default();
        (size(fewest), size(most))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn every_line_is_a_plan_and_no_calling_code_begins_another() {
        assert_eq!(CountryPlan::all().count(), PLANS.lines().count());
        let mut codes: Vec<&str> = CountryPlan::all().map(|plan| plan.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert!(codes.iter().all(|code| (1..=3).contains(&code.len())));
        assert!(codes.iter().all(|code| !codes.iter().any(|other| other != code && other.starts_with(code))));
        assert!(CountryPlan::all().all(|plan| plan.lengths != 0));
    }

    #[test]
    fn the_gulf_has_its_plans() {
        for (country, code, limits, has_trunk) in [
            ("AE", "971", (8, 9), true),
            ("BH", "973", (8, 8), false),
            ("KW", "965", (8, 8), false),
            ("OM", "968", (8, 8), false),
            ("QA", "974", (8, 8), false),
            ("SA", "966", (9, 9), true),
        ] {
            let plan = CountryPlan::of_country(country).unwrap();
            assert_eq!((plan.code, plan.limits(), plan.has_trunk()), (code, limits, has_trunk), "{country}");
        }
        assert!(CountryPlan::of_country("XX").is_none() && CountryPlan::of_country("--").is_none());
    }
}
