/** Thresholds for results of experiments. */

/** The confidence of intervals in percent, and the p-value below which a difference is significant. */
export const CONFIDENCE = 95
export const ALPHA = 1 - CONFIDENCE / 100
/**
 * The p-value below which a split is uneven (docs/analytics.md §6): stricter, because a false alarm casts doubt on
 * everything else.
 */
export const UNEVEN_BELOW = 0.01
/**
 * The normal approximation of the binomial needs at least this number of expected conversions and non-conversions in each
 * group, at the pooled rate (the textbooks' success-failure condition).
 */
export const MIN_EXPECTED = 10
/** Visitors at which the sequential test is tightest: the size of an everyday experiment. */
export const EXPECTED_VISITORS = 5000
/** The probability with which a planned experiment finds the wished difference. */
export const POWER = 0.8
