import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Notes',
  description: 'Notes mark times on the charts of a site, for example deploys.',
  manual: '/documentation/glossary#in-the-product',
  operations,
  everyday: ['notes_list', 'notes_create'],
  asked: {
    notes_list: 'annotations, when did we release, when was the deploy, what did we do on, releases, launches',
    notes_create:
      'annotate, add an annotation, mark a deploy, mark a release, remember a date, note on the chart, we launched, log that, write down, remember, write a note, make a note, put a note',
  },
  ids,
  tables: ['notes'],
  example: () => import('./example.ts'),
})
