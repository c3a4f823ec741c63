import { setting, whole } from '../../../runtime/settings/setting.ts'

export const IMPORT_MAX_MB = setting({
  default: '2048',
  description: 'Maximum size of a file for an import, MB',
  ...whole(1, 1_000_000),
})
