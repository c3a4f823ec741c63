import { Code } from '../../../runtime/ui/copy.tsx'
import { idOf } from '../../../runtime/ui/fields/control-props.ts'
import { Like } from '../../../runtime/ui/share.tsx'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { say } from '../../../runtime/texts/say.ts'
import { Site } from '../../sites/sites/records.ts'
import { m } from './messages.ts'

const MANUAL = '/documentation/privacy#people'

/** Says how to identify visitors: by the setting if it is off, otherwise by the call of a page. */
export function NoPeople({ page }: { page: ViewedPage }) {
  const { viewer, within, pathOf } = page
  const site = within(Site)
  const isOff = site?.identity === 'off'
  const settings = site && pathOf(Site, { site_id: site.id })
  return (
    <div class="card empty">
      <Like
        icon="people"
        rows={[
          ['customer-4711', 'plan: pro'],
          ['customer-1208', 'plan: free'],
        ]}
      />
      <p class="none-yet">{say(viewer, isOff ? m.identity_off : m.none_yet)}</p>
      <p class="help">{say(viewer, isOff ? m.identity_off_help : m.none_yet_help)}</p>
      {!isOff && <Code content="footfall('identify', 'customer-4711', { plan: 'pro' })" reader={viewer} />}
      <p class="ways">
        {isOff && settings !== undefined && (
          <a class="button" href={`${settings}#${idOf('/identity')}`}>
            {say(viewer, m.switch_on)}
          </a>
        )}
        <a class="button plain" href={MANUAL}>
          {say(viewer, m.what_is_stored)}
        </a>
      </p>
    </div>
  )
}
