/** Uploads and exports, each by a name of its own: in a folder, or in a bucket that several machines share. */
import { resource } from '../../../runtime/resource.ts'
import type { Files } from './file-store.ts'
import { openFolder } from './folder.ts'
import { openObjects } from './objects.ts'
import { FILES_URL } from './settings.ts'

export const files = resource<Files>({
  name: 'files',
  open({ config, now }) {
    const location = config.of(FILES_URL)
    return 'folder' in location ? openFolder(location.folder) : openObjects(location, now)
  },
  close: async () => {},
})
