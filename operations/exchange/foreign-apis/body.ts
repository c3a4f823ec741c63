/** Reads the fields of a body: JSON, or a form. */
import { parseJson } from '../../../runtime/call/parse-json.ts'
import type { EndpointRequest } from '../../../runtime/table/endpoint.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { refuse } from './format.ts'

/** @throws Refused 400, Failure `payload_too_large` */
export async function fieldsOf(request: EndpointRequest): Promise<Readonly<Record<string, unknown>>> {
  const type = request.header('content-type') ?? ''
  if (/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)) return formOf(await request.whole(), type)
  const text = await request.text()
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = parseJson(text)
  } catch (thrown) {
    if (thrown instanceof SyntaxError) refuse(400, 'The body is not valid JSON.')
    throw thrown
  }
  return isObject(value) ? value : refuse(400, 'The body is not a JSON object.')
}

async function formOf(bytes: Uint8Array<ArrayBufferLike>, type: string): Promise<Record<string, string>> {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData()
    return Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, unquoted(value)]] : [])))
  } catch {
    return refuse(400, 'The body is not a valid form.')
  }
}

/** Examples in manuals of others quote the values of forms. */
const unquoted = (text: string): string => /^"(.*)"$/s.exec(text)?.[1] ?? text
