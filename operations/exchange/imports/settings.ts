import { setting, whole } from '../../../runtime/settings/setting.ts'

export const IMPORT_MAX_MB = setting({
  default: '2048',
  description: 'Largest file that is uploaded for an import, MB',
  ...whole(1, 1_000_000),
})
