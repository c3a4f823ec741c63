import { setting } from '../../../runtime/setting.ts'

export const FILES_URL = setting({
  default: 'file:data/files',
  description: 'Where uploads for imports and files of exports are kept: `file:…`, a folder that all processes share',
  parse: text => (/^file:.+/.test(text) ? text : undefined),
  wants: '"file:" and a folder',
})
