//! The calendar: full profiles say when a program began, and in which words.

use core::fmt;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// The year.
    pub year: i64,
    /// The month, from 1.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
}

/// Days after which the calendar repeats: four hundred years.
const ERA: i64 = 146_097;
/// Days from the first of March of the year 0 to 1970.
const TO_1970: i64 = 719_468;

// Years begin in March in all of this: so the day that only some have is their last.
impl Date {
    /// The date so many days after the first of January 1970.
    #[must_use]
    pub fn of_day(days: i64) -> Self {
        let days = days.saturating_add(TO_1970);
        let in_era = days.rem_euclid(ERA);
        let year_in_era = (in_era - in_era / 1460 + in_era / 36_524 - in_era / (ERA - 1)) / 365;
        let in_year = in_era - (365 * year_in_era + year_in_era / 4 - year_in_era / 100);
        let from_march = (5 * in_year + 2) / 153;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = days.div_euclid(ERA) * 400 + year_in_era + i64::from(month <= 2);
        Self { year, month, day: in_year - (153 * from_march + 2) / 5 + 1 }
    }

    /// Days from 1970 to this date; none if there is no such year, month or day.
    #[must_use]
    pub fn day_from_1970(self) -> Option<i64> {
        let Self { year, month, day } = self;
        if !(1970..10_000).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day)
        {
            return None;
        }
        let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
        let in_year = (153 * month + 2) / 5 + day - 1;
        Some(365 * year + year / 4 - year / 100 + year / 400 + in_year - TO_1970)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (day, year, month, day_of_month) in [
            (0, 1970, 1, 1),
            (11_015, 2000, 2, 28),
            (11_016, 2000, 2, 29),
            (11_017, 2000, 3, 1),
            (19_675, 2023, 11, 14),
            (19_782, 2024, 2, 29),
            (20_779, 2026, 11, 22),
            (47_481, 2099, 12, 31),
            (47_541, 2100, 3, 1),
        ] {
            let date = Date { year, month, day: day_of_month };
            assert_eq!(Date::of_day(day), date);
            assert_eq!(date.day_from_1970(), Some(day), "{date:?}");
        }
        assert_eq!(Date::of_day(-1), Date { year: 1969, month: 12, day: 31 });
        assert_eq!(Date { year: 2023, month: 13, day: 1 }.day_from_1970(), None);
    }
}
