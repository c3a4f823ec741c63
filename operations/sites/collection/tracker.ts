import { resource } from '../../../runtime/table/resource.ts'
import { readTracker } from '../../../tracker/built.ts'

/** The scripts that browsers run. */
export const tracker = resource({ name: 'tracker', open: readTracker, close: async () => {} })
