/** The experiment of the shop's checkout: who is shown which variant. */
export const treatment = 'one-step'
const variants = ['control', treatment] as const

export interface Experiment {
  /** The variant of a visitor, who keeps it for the day. A visitor without one is assigned one. */
  variantOf(visitor: string): string
  isShown(visitor: string, variant: string): boolean
}

/**
 * Variants are given in turn, so that a split of any size is even. They are given when they are shown and act from then
 * on: a variant that had brought more of its visitors to the checkout would be shown to more.
 */
export function experimentOn(day: number): Experiment {
  const shown = new Map<string, string>()
  return {
    variantOf(visitor) {
      const variant = shown.get(visitor) ?? variants[(day + shown.size) % variants.length] ?? treatment
      shown.set(visitor, variant)
      return variant
    },
    isShown: (visitor, variant) => shown.get(visitor) === variant,
  }
}
