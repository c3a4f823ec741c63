/** Attribution models: how the credit for a completed goal is divided among the visits that led to it. */

export const MODELS = Object.freeze(['first', 'last', 'last_non_direct', 'linear', 'position', 'time_decay'] as const)
export type Model = (typeof MODELS)[number]

/** `time_decay`: how much earlier a visit began that has half the weight. */
export const HALF_LIFE_DAYS = 7

/** `position`: the share of the first visit and of the last one; the visits between them divide the rest. */
export const OF_ENDS = 0.4

/** Most visits of a path: the latest ones before the goal. Bounds the work for an id that a whole crowd shares. */
export const MAX_TOUCHES = 1_000

/** Credits are counted in parts of a completion, so that they are whole numbers and add up exactly. */
export const PARTS = 10_000
