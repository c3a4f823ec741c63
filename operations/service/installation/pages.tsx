import { instant, inUnit, plainNumber } from '../../../runtime/ui/format.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { view } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { say } from '../../../runtime/texts/say.ts'
import { m } from './messages.ts'
import { Installation } from './records.ts'
import { taskNames } from './task-names.ts'

type Viewer = ViewedPage['viewer']
const Time = ({ at, viewer }: { at: string | null; viewer: Viewer }) =>
  at === null ? <>–</> : <time datetime={at}>{instant(at, viewer)}</time>

const isNamed = (name: string): name is keyof typeof taskNames => Object.hasOwn(taskNames, name)

/** The state of the installation: its figures, backups, sites and tasks. */
export const installation = view(Installation, ({ data, page: { schema, viewer } }) => (
  <>
    <section class="card">
      <RecordView schema={schema} data={data} viewer={viewer} without={new Set(['backups', 'largest_sites', 'tasks', 'has_backups'])} />
    </section>
    <section class="card" aria-labelledby="backups">
      <h2 id="backups">{say(viewer, m.backups)}</h2>
      {data.backups.length === 0 ? (
        <p class="help">{say(viewer, data.has_backups ? m.no_backup_yet : m.backups_off)}</p>
      ) : (
        <table class="list stacks">
          <thead>
            <tr>
              <th scope="col">{say(viewer, m.made)}</th>
              <th scope="col" class="number">
                {say(viewer, m.size)}
              </th>
              <th scope="col">{say(viewer, m.outcome)}</th>
            </tr>
          </thead>
          <tbody>
            {data.backups.map(({ started_at, bytes, verified_at, error }) => (
              <tr>
                <th scope="row">
                  <Time at={started_at} viewer={viewer} />
                </th>
                <td class="number" data-label={say(viewer, m.size)}>
                  {bytes === null ? '–' : inUnit(bytes, 'bytes', viewer)}
                </td>
                <td data-label={say(viewer, m.outcome)}>{error ?? say(viewer, verified_at === null ? m.not_checked : m.checked)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
    {data.largest_sites.length > 0 && (
      <section class="card" aria-labelledby="sites">
        <h2 id="sites">{say(viewer, m.largest_sites)}</h2>
        <table class="list">
          <tbody>
            {data.largest_sites.map(({ domain, hits }) => (
              <tr>
                <th scope="row">{domain}</th>
                <td class="number">{plainNumber(hits, viewer)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    )}
    <section class="card" aria-labelledby="tasks">
      <h2 id="tasks">{say(viewer, m.background_tasks)}</h2>
      <table class="list stacks">
        <thead>
          <tr>
            <th scope="col">{say(viewer, m.task)}</th>
            <th scope="col">{say(viewer, m.last_run)}</th>
            <th scope="col">{say(viewer, m.next_run)}</th>
            <th scope="col">{say(viewer, m.outcome)}</th>
          </tr>
        </thead>
        <tbody>
          {data.tasks.map(({ name, last_started_at, last_ended_at, last_error, next_at }) => (
            <tr>
              <th scope="row">
                {isNamed(name) ? say(viewer, taskNames[name]) : name}
                <p class="help">
                  <code>{name}</code>
                </p>
              </th>
              <td data-label={say(viewer, m.last_run)}>
                <Time at={last_started_at} viewer={viewer} />
              </td>
              <td data-label={say(viewer, m.next_run)}>
                {/* A task with a queue runs in every worker, so no time is kept for it. */}
                <Time at={last_started_at !== null && next_at < last_started_at ? null : next_at} viewer={viewer} />
              </td>
              <td data-label={say(viewer, m.outcome)}>{last_error ?? (last_ended_at === null ? '–' : say(viewer, m.task_ok))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </>
))
