/** Messages about lines of logs. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('crawlers', {
  log_lines_read: 'Log lines imported.',
  some_log_lines_could_not_be: 'Some log lines could not be read.',
  required_with_format: '{field} is required with the format {format}.',
  not_with_format: '{field} cannot be used with the format {format}.',
  no_crawler_requests: 'The log lines contain no crawler requests.',
  none_of_the_log_lines_could: 'None of the log lines could be read.',
})
