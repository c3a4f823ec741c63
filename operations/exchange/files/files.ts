/** Uploads and exports, each by a name of its own: in a folder, or in a bucket that several machines share. */
import { resource } from '../../../runtime/resource.ts'
import { openFolder } from './folder.ts'
import { openObjects } from './objects.ts'
import { ofOneInstallation, type OwnFiles } from './one-installation.ts'
import { FILES_URL } from './settings.ts'

export const files = resource<OwnFiles>({
  name: 'files',
  open({ config, now, store }) {
    const location = config.of(FILES_URL)
    return ofOneInstallation('folder' in location ? openFolder(location.folder) : openObjects(location, now), store)
  },
  close: async () => {},
})
