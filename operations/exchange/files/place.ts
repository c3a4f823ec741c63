/** Files at a location of the operator's: a folder or a bucket. */
import type { Files, Use } from './file-store.ts'
import { openFolder } from './folder.ts'
import type { Location } from './location.ts'
import { openObjects } from './objects.ts'

export const openPlace = (location: Location, now: () => number, use?: Use): Files =>
  'folder' in location ? openFolder(location.folder, use) : openObjects(location, now, use)
