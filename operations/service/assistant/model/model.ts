/** The language model that the operator has set up. */
import type { Config } from '../../../../runtime/settings/config.ts'
import { ASSISTANT_KEY, ASSISTANT_MODEL, ASSISTANT_URL } from '../settings.ts'

export interface Model {
  /** Base of an OpenAI-compatible server, without a slash at the end. */
  readonly url: string
  readonly name: string
  /** Empty for none. */
  readonly key: string
}

/** Undefined if there is none. */
export function modelOf(config: Config): Model | undefined {
  const url = config.of(ASSISTANT_URL)
  return url === '' ? undefined : { url, name: config.of(ASSISTANT_MODEL), key: config.of(ASSISTANT_KEY) }
}
