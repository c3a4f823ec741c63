/** Choosers of files, which scripts show: for a file that is sent afterwards, and for one that is read into its field. */
import type { TSchema } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { fromFile } from '../../table/schema.ts'
import type { FormContext } from './control-props.ts'
import { Labelled } from './labelled.tsx'
import { ui } from '../messages.ts'
import { say } from '../../texts/say.ts'

interface ChooserProps {
  readonly id: string
  readonly form: FormContext
  readonly children?: Child
}

/** A chooser for the name of a file, which `client/upload.js` shows instead of the name. */
export const FileChooser = ({ id, form, children }: ChooserProps) => (
  <div data-of-file="">
    <Labelled id={`${id}-file`} label={say(form, ui.file)} attributes={{ hidden: true }}>
      {() => <input type="file" id={`${id}-file`} />}
    </Labelled>
    {children}
  </div>
)

/** A form may have 1 MiB, and encoded bytes take more space in it than they do in the file. */
const maxBytes = 500_000

/** A chooser above a field whose text people have as a file: `client/from-file.js` reads it into the field and fills in `{name}`. */
export function FromFile({ schema, id, label, form, children }: ChooserProps & { readonly schema: TSchema; readonly label: string }) {
  const accept = schema[fromFile]
  if (accept === undefined) return <>{children}</>
  const isList = schema.type === 'array'
  return (
    <div
      data-from-file=""
      data-bytes={Math.min(maxBytes, isList ? maxBytes : Number(schema.maxLength ?? maxBytes))}
      data-lines={isList ? schema.maxItems : undefined}
      data-read={say(form, ui.file_read, { name: '{name}' })}
      data-large={say(form, ui.file_large, { count: '{count}', most: '{most}' })}
      data-long={say(form, ui.file_long, { count: '{count}', most: '{most}' })}
      data-unread={say(form, ui.file_unread)}
    >
      {children}
      <Labelled id={`${id}-file`} label={say(form, ui.file_for, { name: label })} attributes={{ hidden: true }}>
        {() => (
          <>
            <input type="file" id={`${id}-file`} accept={accept} />
            <span class="help" role="status" />
          </>
        )}
      </Labelled>
    </div>
  )
}
