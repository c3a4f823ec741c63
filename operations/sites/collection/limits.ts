import type { Config } from '../../../runtime/config.ts'
import type { CardinalityLimits } from '../../../storage/hits/cardinality.ts'
import { CARDINALITY_NAMES, CARDINALITY_PATHS, CARDINALITY_VALUES } from './settings.ts'

/** How many new texts a site may bring in a day, as the settings have it. */
export const limitsIn = (config: Config): CardinalityLimits => ({
  paths: config.of(CARDINALITY_PATHS),
  names: config.of(CARDINALITY_NAMES),
  values: config.of(CARDINALITY_VALUES),
})
