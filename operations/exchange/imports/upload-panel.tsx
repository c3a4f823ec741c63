/** Uploads the file of an import: by a script (`client/upload.js`), by a form without scripts, or from a terminal. */
import { maxOfForm } from '../../../runtime/call/multipart.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import type { NamedOperation } from '../../../runtime/table/table.ts'
import { Code } from '../../../runtime/ui/copy.tsx'
import { Labelled } from '../../../runtime/ui/fields/labelled.tsx'
import { Line } from '../../../runtime/ui/fields/line.tsx'
import { Form } from '../../../runtime/ui/form.tsx'
import { inUnit } from '../../../runtime/ui/format.ts'
import { labelOf } from '../../../runtime/ui/operation-labels.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import type { ImportUpload } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface UploadPanelProps {
  readonly upload: Pick<Static<typeof ImportUpload>, 'upload_url' | 'received' | 'total'>
  readonly filename: string
  /** The operation that starts the import once the file is there. */
  readonly start: NamedOperation
  readonly page: ViewedPage
}

export function UploadPanel({ upload, filename, start, page: { viewer, url, baseUrl } }: UploadPanelProps) {
  const address = upload.upload_url.slice(baseUrl.length)
  const { received } = upload
  const total = upload.total ?? 0
  return (
    <section
      class="card"
      aria-labelledby="upload"
      data-upload={address}
      data-filename={filename}
      data-received={received}
      data-total={total}
      data-sending={say(viewer, m.upload_sending, { share: '{share}' })}
      data-broken={say(viewer, m.upload_broken)}
      data-too-large={say(viewer, m.upload_too_large)}
      data-other={say(viewer, m.upload_other, { filename })}
    >
      <h2 id="upload">{say(viewer, m.upload)}</h2>
      <Labelled id="upload-file" label={say(viewer, m.upload_choose, { filename })} attributes={{ 'data-scripted': '', hidden: true }}>
        {() => <input type="file" id="upload-file" />}
      </Labelled>
      {received > 0 && total > received && (
        <p class="help">
          {say(viewer, m.upload_part, { received: inUnit(received, 'bytes', viewer), total: inUnit(total, 'bytes', viewer) })}
        </p>
      )}
      <noscript>
        <Form enctype="multipart/form-data" action={address}>
          <Line
            id="upload-plain"
            name="file"
            label={say(viewer, m.upload_choose, { filename })}
            help={say(viewer, m.upload_plain, { most: inUnit(maxOfForm, 'bytes', viewer) })}
            value={undefined}
            attributes={{ type: 'file' }}
            required
          />
          <p class="ends">
            <button type="submit">{say(viewer, m.upload)}</button>
          </p>
        </Form>
      </noscript>
      <progress max={1} value={0} aria-label={fieldWords('progress', viewer)} hidden />
      <p role="status" />
      <details>
        <summary>{say(viewer, m.upload_terminal)}</summary>
        <Code content={`curl -T '${filename.replaceAll("'", "'\\''")}' '${upload.upload_url}'`} reader={viewer} />
      </details>
      <Form action={`${url.pathname}/start`}>
        <p class="ends">
          <button type="submit" class={received > 0 ? undefined : 'plain'}>
            {labelOf(start, viewer)}
          </button>
        </p>
      </Form>
    </section>
  )
}
