/** What stands on a page of an operation, from its heading down. */
import type { App } from '../../runtime/app.ts'
import { Doing, doneWords, labelOf, Wrong } from './doing.tsx'
import { ListView, NarrowForm, Paging } from './list.tsx'
import type { Look } from './look.ts'
import { toldElsewhere } from './parts.ts'
import { Crumbs, Empty } from './pieces.tsx'
import { isList, recordOf, titleOf } from './places.ts'
import { RecordView } from './record.tsx'
import { Chips, Periods } from './views/toolbar.tsx'
import { withQuery } from './words.ts'

export function PageBody({ look, app }: { look: Look; app: App }) {
  const { spot, url, around, caller, title, does, doing, done, wrong, isAsking, narrow, inToolbar, shown, meta } = look
  const { operation } = spot
  const { viewer } = around
  const below = spot.below.filter(each => app.allows(caller, each))
  return (
    <>
      <header class="head">
        <div>
          <Crumbs ways={look.above} />
          <h1>{title}</h1>
        </div>
        <div class="acts">
          {does.map(each => (
            <a
              class={each.effect === 'create' ? 'button' : each.effect === 'delete' ? 'button plain danger' : 'button plain'}
              href={withQuery(url, { do: each.id, done: undefined })}
            >
              {labelOf(each)}
            </a>
          ))}
        </div>
      </header>
      {done && (
        <p class="notice" role="status">
          {doneWords(done, recordOf(done))}
        </p>
      )}
      {doing && <Doing {...doing} />}
      {inToolbar.length > 0 && !shown?.againAfter && <Toolbar look={look} />}
      {wrong && !isAsking && <Wrong error={wrong} names={new Set(Object.keys(operation.input.properties))} />}
      {isAsking && <p class="notice">Choose what to look at.</p>}
      {narrow && (
        <NarrowForm operation={operation} url={url} values={look.asked} form={narrow} without={inToolbar} isOpen={wrong !== undefined} />
      )}
      {shown ? shown.content : !wrong && <Projected look={look} />}
      {!wrong && isList(operation) && <Paging url={url} meta={meta} viewer={viewer} />}
      {below.length > 0 && (
        <ul class="below">
          {below.map(each => (
            <li>
              <a href={`${url.pathname}/${each.path.split('/').at(-1) ?? ''}`}>{titleOf(each)}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Toolbar({ look: { spot, url, around, view, inToolbar } }: { look: Look }) {
  return (
    <div class="toolbar">
      <Chips url={url} isTaken={inToolbar.includes('filters')} />
      <Periods
        operation={spot.operation}
        url={url}
        viewer={around.viewer}
        isCompared={Object.hasOwn(view?.asks?.(url.searchParams) ?? {}, 'compare')}
      />
    </div>
  )
}

/** What has no view is shown by its schema. */
function Projected({ look }: { look: Look }) {
  const { spot, url, around, record, rows, named, does, isNarrowed, place } = look
  const { operation } = spot
  if (isList(operation)) {
    return (
      <ListView
        operation={operation}
        rows={rows}
        viewer={around.viewer}
        named={named}
        hrefOf={look.hrefOf}
        actionsOf={look.actionsOf}
        empty={<Empty operation={operation} does={does} url={url} isNarrowed={isNarrowed} />}
      />
    )
  }
  return (
    <div class="card">
      {record && (
        <RecordView
          schema={operation.output}
          data={record}
          viewer={around.viewer}
          named={named}
          without={toldElsewhere(operation, record, place)}
        />
      )}
    </div>
  )
}
