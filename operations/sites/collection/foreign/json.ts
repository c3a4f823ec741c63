/** Reads JSON that another product's script sends as text. */
import { parseJson, parseJsonList } from '../../../../runtime/call/parse-json.ts'
import { errors, Failure } from '../../../../runtime/table/errors.ts'

/** The JSON of a text; undefined if it is none, or excessive. */
export const jsonOf = (text: string): Promise<unknown> => readable(() => parseJson(text))
/** The JSON of a list of many messages; undefined if the text is not JSON, or excessive. */
export const jsonListOf = (text: string): Promise<unknown> => readable(() => parseJsonList(text))

async function readable(parse: () => unknown): Promise<unknown> {
  try {
    return await parse()
  } catch (thrown) {
    if (thrown instanceof SyntaxError || (thrown instanceof Failure && errors[thrown.code].status < 500)) return undefined
    throw thrown
  }
}
