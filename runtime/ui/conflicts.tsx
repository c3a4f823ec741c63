/** Values that two people changed: both are shown, and one of them is chosen. */
import type { TSchema } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { keepField, mine, theirs } from '../call/form-digests.ts'
import { isObject } from '../values/json.ts'
import type { NamedOperation } from '../table/table.ts'
import { bare, Cell } from './cell.tsx'
import { type FormContext, idOf } from './fields/control-props.ts'
import { Rows } from './record.tsx'
import { fieldWords } from './words.ts'
import { ui } from './messages.ts'
import { say } from '../texts/say.ts'

export interface Conflict {
  readonly name: string
  /** As it was typed. */
  readonly mine: unknown
  /** As it was saved meanwhile. */
  readonly theirs: unknown
}

interface ConflictsProps {
  readonly of: readonly Conflict[]
  readonly operation: NamedOperation
  readonly form: FormContext
}

export function Conflicts({ of, operation, form }: ConflictsProps) {
  return (
    <div class="faults conflicts" role="alert">
      <p>{say(form, ui.conflict)}</p>
      {of.map(({ name, mine: typed, theirs: saved }) => {
        const schema = operation.input.properties[name] as TSchema // a field of it
        const choice = (which: string, label: string, value: unknown) => (
          <div class="of-two">
            <label>
              <input type="radio" name={keepField(name)} value={which} required /> {label}
            </label>
            <div>
              <Both name={name} schema={schema} value={value} form={form} />
            </div>
          </div>
        )
        return (
          <fieldset class="group">
            <legend>{fieldWords(name, form)}</legend>
            {choice(theirs, say(form, ui.keep_theirs), saved)}
            {choice(mine, say(form, ui.keep_mine), typed)}
            <p class="help">
              <a href={`#${idOf(`/${name}`)}`}>{say(form, ui.see_field)}</a>
            </p>
          </fieldset>
        )
      })}
    </div>
  )
}

function Both({ name, schema: given, value, form }: { name: string; schema: TSchema; value: unknown; form: FormContext }): Child {
  const { schema } = bare(given)
  const names = new Map([...form.choices.values()].flat().map(option => [option.id, option.name]))
  const shown = named(value, names)
  if (Array.isArray(shown) && shown.some(isObject))
    return <Rows schema={schema.items ?? {}} rows={shown.filter(isObject)} viewer={form} label={fieldWords(name, form)} />
  return <Cell schema={schema} value={shown} viewer={form} />
}

/** Ids as what they name, wherever they are in a value. */
function named(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value
  if (Array.isArray(value)) return value.map(each => named(each, names))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([field, each]) => [field, named(each, names)])) : value
}
