import { resource } from '../../../runtime/settings/resource.ts'
import { readTracker } from '../../../tracker/read-tracker.ts'

/** The scripts that browsers run. */
export const tracker = resource({ name: 'tracker', open: readTracker, close: async () => {} })
