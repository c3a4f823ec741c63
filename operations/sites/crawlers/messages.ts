/** Messages about lines of logs. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('crawlers', {
  log_lines_read: 'Log lines imported.',
  some_lines_unreadable: 'Some log lines could not be read.',
  required_with_format: '{field} is required with the format {format}.',
  not_with_format: '{field} cannot be used with the format {format}.',
  no_crawler_requests: 'The log lines contain no crawler requests.',
  all_lines_unreadable: 'None of the log lines could be read.',
  whose_log: 'Server',
  format_combined: 'Lines of access.log',
  format_caddy: 'JSON lines',
  format_cloudflare: 'Logpush: HTTP requests',
  format_cloudfront: 'Standard logs',
  lines_label: 'Lines of the log',
  lines_help: 'Unchanged, at most 1,000 at a time. Lines that you send again count again; addresses are not stored.',
})
