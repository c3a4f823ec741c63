import { setting } from '../../../runtime/settings/setting.ts'

export const ASSISTANT_URL = setting({
  default: '',
  description:
    'Language model that answers questions in workspaces that switch it on: base address of an OpenAI-compatible server, `http://127.0.0.1:11434/v1`; it may be private. Default: questions are answered without a model',
  parse: text => (text === '' || /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(text) ? text.replace(/\/$/, '') : undefined),
  wants: 'an http:// or https:// address without user name, query and fragment',
})
export const ASSISTANT_MODEL = setting({
  default: '',
  description: 'Name of the model at ASSISTANT_URL',
  parse: text => (text.length <= 200 ? text : undefined),
  wants: 'a name of at most 200 characters',
})
export const ASSISTANT_KEY = setting({
  default: '',
  description: 'Key that is sent to ASSISTANT_URL as a bearer token; default: none is sent',
  parse: text => (/^[\x21-\x7e]*$/.test(text) ? text : undefined),
  wants: 'visible ASCII characters without spaces',
})
