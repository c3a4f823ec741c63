/** A claimed domain with its actions and, while it is pending, the TXT record that proves it. */
import type { Static } from '@sinclair/typebox'
import { Tag } from '../../../runtime/ui/cell.tsx'
import type { Viewer } from '../../../runtime/ui/format.ts'
import type { RowLink } from '../../../runtime/ui/list.tsx'
import type { SsoDomain } from './records.ts'
import { ToCopy } from './to-copy.tsx'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface DomainProps {
  readonly domain: Static<typeof SsoDomain>
  readonly viewer: Viewer
  readonly actions: readonly RowLink[]
}

export function Domain({ domain: { domain, status, record_name, record_value, error }, viewer, actions }: DomainProps) {
  return (
    <section class="nested" aria-label={domain}>
      <p class="between">
        <b>{domain}</b>
        <Tag value={status} viewer={viewer} />
      </p>
      {status === 'pending' && (
        <>
          <p class="help">{say(viewer, m.sso_record_says)}</p>
          <ToCopy label={say(viewer, m.sso_record_name)} content={record_name} viewer={viewer} />
          <ToCopy label={say(viewer, m.sso_record_value)} content={record_value} viewer={viewer} />
          {error !== null && <p class="notice">{say(viewer, error)}</p>}
        </>
      )}
      {actions.length > 0 && (
        <p class="ends">
          {actions.toReversed().map(({ label, href }) => (
            <>
              <a class="button plain" href={href}>
                {label}
              </a>{' '}
            </>
          ))}
        </p>
      )}
    </section>
  )
}
