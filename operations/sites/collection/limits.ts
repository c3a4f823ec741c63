import type { Config } from '../../../runtime/settings/config.ts'
import type { CardinalityLimits } from '../../../storage/hits/cardinality.ts'
import { CARDINALITY_NAMES, CARDINALITY_PATHS, CARDINALITY_VALUES } from './settings.ts'

/** Limits on new texts per site and day, from the settings. */
export const limitsIn = (config: Config): CardinalityLimits => ({
  paths: config.of(CARDINALITY_PATHS),
  names: config.of(CARDINALITY_NAMES),
  values: config.of(CARDINALITY_VALUES),
})
