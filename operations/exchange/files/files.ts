/** Uploads and exports, each by its own name: in a folder, or in a bucket that several machines share. */
import { type ResourceContext, resource } from '../../../runtime/settings/resource.ts'
import { openDefault, opensLater } from './default-folder.ts'
import type { Files } from './file-store.ts'
import { logged } from './log-outages.ts'
import { ofOneInstallation, type OwnFiles } from './one-installation.ts'
import { openPlace } from './place.ts'
import { FILES_URL } from './settings.ts'

export const files = resource<OwnFiles>({
  name: 'files',
  open: surroundings => logged(ofOneInstallation(opened(surroundings), surroundings.store), surroundings.log),
  close: async () => {},
})

function opened({ config, now, store, log }: ResourceContext): Files {
  const location = config.of(FILES_URL)
  if (location === 'default') return opensLater(() => openDefault(store, log))
  return openPlace(location, now)
}
