import { resource } from '../../../runtime/settings/resource.ts'
import { verifier, type Verify } from './addresses.ts'
import { CRAWLER_RANGES_FILE } from './settings.ts'

/** Reads the file of ranges once. */
export const verification = resource<Verify>({
  name: 'crawler verification',
  open: ({ config }) => verifier(config.of(CRAWLER_RANGES_FILE)),
  close: async () => {},
})
