import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids, keptMs } from './records.ts'
import * as settings from './settings.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'Assistant',
  description: 'Questions in plain words about the data of a site.',
  manual: '/documentation/assistant',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    assistant_ask: 'ask a question in words, ask the assistant, chat, natural language',
    assistant_conversations_list: 'my questions, earlier questions, conversations, chats',
  },
  settings,
  subscribers,
  ids,
  tables: ['assistant_conversations', 'assistant_messages'],
  expiring: [{ table: 'assistant_conversations', key: ['id'], from: 'updated_at', afterMs: keptMs }],
  example: () => import('./example.ts'),
})
