/** Parts of pages about members that invitations draw as well. */
import type { IconName } from '../../../runtime/table/icons.ts'
import type { Role } from '../../../runtime/table/permissions.ts'
import type { Reader } from '../../../runtime/texts/reader.ts'
import { capital } from '../../../runtime/texts/names.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { KindCard } from '../../../runtime/ui/form-layout.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { roleDescriptions } from '../roles/index.ts'

const icons: Readonly<Record<Role, IconName>> = {
  owner: 'owner',
  admin: 'settings',
  editor: 'edit',
  analyst: 'series',
  viewer: 'view',
  billing: 'pay',
}

/** In the order in which people think of them: what most get comes first. */
export const rolesInOrder: readonly Role[] = ['viewer', 'analyst', 'editor', 'admin', 'owner', 'billing']

/** Roles as cards that say what each may do. */
export const roleCards = (reader: Reader): readonly KindCard[] =>
  rolesInOrder.map(role => ({
    value: role,
    icon: icons[role],
    label: capital(valueWords(role, reader)),
    help: say(reader, roleDescriptions[role]),
  }))
