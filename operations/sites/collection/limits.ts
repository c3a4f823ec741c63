import type { Config } from '../../../runtime/config.ts'
import type { CardinalityLimits } from '../../../storage/hits/cardinality.ts'

/** How many new texts a site may bring in a day, as the settings have it. */
export const limitsIn = (config: Config): CardinalityLimits => ({
  paths: config.CARDINALITY_PATHS, names: config.CARDINALITY_NAMES, values: config.CARDINALITY_VALUES,
})
