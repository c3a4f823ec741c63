/** An input as a browser sends it: the controls of a form, or the parameters of a page. */
import { hasForm } from '../../adapters/surfaces.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'

type Field = [name: string, value: string]
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A value as the controls of a form send it (`adapters/pages/form-values.ts`). */
function controls(pointer: string, value: unknown): Field[] {
  if (Array.isArray(value)) {
    if (!value.some(item => typeof item === 'object' && item !== null)) return value.map((item): Field => [pointer, String(item)])
    return value.flatMap((item, i) =>
      Array.isArray(item) ? [[`${pointer}/${i}`, JSON.stringify(item)] as Field] : controls(`${pointer}/${i}`, item),
    )
  }
  if (isObject(value)) return Object.entries(value).flatMap(([name, each]) => controls(`${pointer}/${name}`, each))
  return [[pointer, value === null ? '' : String(value)]]
}

/** Omits the parameters of the path. */
export function fieldsOf(row: NamedOperation, input: Readonly<Record<string, unknown>>): Field[] {
  const rest = Object.entries(input).filter(([name]) => !Object.hasOwn(row.pathInput, name))
  return hasForm(row)
    ? rest.flatMap(([name, value]) => controls(`/${name}`, value))
    : rest.map(([name, value]): Field => [name, asText(value)])
}
