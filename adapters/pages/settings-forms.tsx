/**
 * The fields of a record as forms on its page, one for each section. A section saves only its own fields, and says so next to
 * its button: the page opens at the fragment of the saved section.
 */
import type { TSchema } from '@sinclair/typebox'
import { drawnField, drawnText } from '../../runtime/call/form-digests.ts'
import type { Content } from '../../runtime/table/page.ts'
import type { ErrorBody } from '../../runtime/table/errors.ts'
import { keptTexts } from '../../runtime/call/kept-forms.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { capital } from '../../runtime/texts/names.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import { say } from '../../runtime/texts/say.ts'
import { shortOf } from '../../runtime/table/operation-names.ts'
import { Conflicts } from '../../runtime/ui/conflicts.tsx'
import { bare } from '../../runtime/ui/cell.tsx'
import { isCurrency } from '../../runtime/ui/currencies.ts'
import { Control } from '../../runtime/ui/fields/control.tsx'
import type { FormContext } from '../../runtime/ui/fields/control-props.ts'
import { Form } from '../../runtime/ui/form.tsx'
import { Icon } from '../../runtime/ui/icons/icon.tsx'
import type { SettingsLayout, SettingsSection } from '../../runtime/ui/settings.ts'
import type { Filling } from './form-contents.ts'
import { m } from './messages.ts'
import { pageField, sectionField, Wrong } from './operation-form.tsx'

/** The fragment at which the page opens after a section was saved. */
export const savedId = (operation: NamedOperation, section: string): string => `saved-${operation.id}-${section}`

export interface SettingsFormsProps extends Filling {
  readonly operation: NamedOperation
  readonly layout: SettingsLayout | undefined
  readonly action: string
  /** The operation of the page that shows the forms. */
  readonly page: NamedOperation
  readonly form: FormContext
  /** A section that was sent and not saved. */
  readonly sent: { readonly section: string; readonly error: ErrorBody['error'] | undefined } | undefined
}

export function settingsForms(props: SettingsFormsProps): Content {
  const sections = sectionsOf(props)
  return (
    <>
      {sections.map((section, i) => (
        <Section {...props} section={section} index={i} />
      ))}
    </>
  ) as Content // JSX of ours is text
}

/** Sections with all fields of the operation: those that the layout does not name are in the last one. */
function sectionsOf({ operation: { input }, layout }: Pick<SettingsFormsProps, 'operation' | 'layout'>): readonly SettingsSection[] {
  const declared = layout?.sections ?? []
  const named = new Set(declared.flatMap(({ fields }) => fields))
  const rest = Object.keys(input.properties).filter(name => !named.has(name))
  const last = declared.at(-1)
  if (!last) return [{ fields: rest }]
  return [...declared.slice(0, -1), { ...last, fields: [...last.fields, ...rest] }]
}

function Section({
  operation,
  action,
  page,
  form,
  values,
  drawn,
  conflicts,
  sent,
  section: { title, help, fields, words },
  index,
}: SettingsFormsProps & { readonly section: SettingsSection; readonly index: number }) {
  const isSent = sent?.section === String(index)
  const own = drawn && new Map([...drawn].filter(([name]) => fields.includes(name)))
  const heading = `${operation.id}-${index}`
  return (
    <section class="settings" aria-labelledby={heading}>
      <h2 id={heading} class={title ? undefined : 'unseen'}>
        {title ? say(form, title) : declaredText(form, shortOf(operation))}
      </h2>
      {help && <p class="help">{say(form, help)}</p>}
      <Form
        class="card"
        action={action}
        method={operation.method}
        hidden={{ [drawnField]: own && drawnText(own), [pageField]: page.id, [sectionField]: String(index) }}
      >
        {isSent && sent.error === undefined && (
          <p class="notice" role="status">
            {say(form, keptTexts.again)}
          </p>
        )}
        {isSent && sent.error && conflicts.length === 0 && <Wrong error={sent.error} names={new Set(fields)} reader={form} />}
        {isSent && conflicts.length > 0 && <Conflicts of={conflicts} operation={operation} form={form} />}
        {fields.map(name => {
          const schema: TSchema | undefined = operation.input.properties[name]
          if (!schema) throw new Error(`${operation.id} has no field ${name} to show as a setting`)
          const fieldWords = words?.[name]
          return (
            <Control
              pointer={`/${name}`}
              name={name}
              schema={fieldWords?.help ? { ...schema, description: say(form, fieldWords.help) } : schema}
              value={values[name]}
              required={hasAlwaysValue(name, schema)}
              form={form}
              {...(fieldWords?.label && { label: capital(say(form, fieldWords.label)) })}
            />
          )
        })}
        <p class="ends">
          <span class="saved" id={savedId(operation, String(index))} role="status" tabindex={-1}>
            <Icon name="check" /> {say(form, m.saved)}
          </span>
          <button type="submit">{say(form, m.save)}</button>
        </p>
      </Form>
    </section>
  )
}

/** Whether a field cannot be emptied, so that its control offers no empty choice. */
function hasAlwaysValue(name: string, given: TSchema): boolean {
  const { schema, clearable } = bare(given)
  const isChoice = schema.enum !== undefined || schema.format === 'timezone' || schema.unit === 'weekday' || isCurrency(name)
  return !clearable && (isChoice || Number(schema.minLength ?? 0) > 0)
}

interface DangerZoneProps {
  readonly does: readonly { readonly label: string; readonly help: string | undefined; readonly href: string }[]
  readonly title: string
}

/** Actions that cannot be undone, at the end of the page. */
export function DangerZone({ does, title }: DangerZoneProps) {
  if (does.length === 0) return null
  return (
    <section class="settings" aria-labelledby="danger">
      <h2 id="danger">{title}</h2>
      <div class="card danger-zone">
        <ul class="rows">
          {does.map(({ label, help, href }) => (
            <li>
              <div>
                <b>{label}</b>
                {help !== undefined && <p class="help">{help}</p>}
              </div>
              <a class="button plain danger" href={href}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
