/** Where the file of an import goes, and how much of it is there: what is needed to begin its upload, or to go on with it. */
import { m } from './messages.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { iso } from '../../../runtime/table/schema.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { site } from '../../sites/sites/records.ts'
import { files, linkTo } from '../files/index.ts'
import { imported, ImportUpload } from './records.ts'
import { uploadPath } from './upload-path.ts'
import { UPLOAD_MS } from './task-name.ts'

export const imports_upload_get = operation({
  route: 'GET /sites/{site_id}/imports/{id}/upload',
  summary: 'Get the upload link of an import, and how much of the file is there',
  title: 'Upload',
  description: 'Until it is started: after a broken connection, or where the link was lost.',
  access: 'sites.manage',
  on: [site, imported],
  effect: 'read',
  secrets: ['upload_url'],
  input: {},
  output: ImportUpload,
  examples: [{ input: { site_id: '{{site}}', id: '{{import}}' } }],
  async run({ import: row, db, use, config }) {
    if (row.status !== 'awaiting_upload') fail('invalid_state', m.is_already({ state: valueTerm(row.status) }))
    const until = row.created_at + UPLOAD_MS
    return {
      upload_url: await linkTo({ box: use(secretBox), db, config }, { method: 'PUT', path: uploadPath(row.id), until }),
      received: (await use(files).sizeOf(row.id)) ?? 0,
      total: row.bytes,
      expires_at: iso(until),
    }
  },
})
