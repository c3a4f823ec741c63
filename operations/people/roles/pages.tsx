import { permissionNames } from '../../../runtime/table/permissions.ts'
import { capital } from '../../../runtime/texts/names.ts'
import { say } from '../../../runtime/texts/say.ts'
import { Icon } from '../../../runtime/ui/icons/icon.tsx'
import { ui } from '../../../runtime/ui/messages.ts'
import { listView } from '../../../runtime/ui/view.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { Role } from './records.ts'

/** Permissions as rows and roles as columns; on phones, each permission above the roles that have it. */
export const roles = listView(Role, ({ rows, page: { viewer } }) => (
  <section class="card scroll" tabindex={0} aria-label={fieldWords('permissions', viewer)}>
    <table class="list matrix">
      <thead>
        <tr>
          <th scope="col">{fieldWords('permissions', viewer)}</th>
          {rows.map(({ name, description }) => (
            <th scope="col">
              <b>{capital(valueWords(name, viewer))}</b>
              <small class="opt">{say(viewer, description)}</small>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {permissionNames.map(permission => (
          <tr>
            <th scope="row">{valueWords(permission, viewer)}</th>
            {rows.map(({ name, permissions }) => (
              <td>
                {permissions.includes(permission) ? (
                  <>
                    <Icon name="check" />
                    <span class="unseen">{say(viewer, ui.yes)}</span> <small>{capital(valueWords(name, viewer))}</small>
                  </>
                ) : (
                  <span class="unseen none">{say(viewer, ui.no)}</span>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
))
