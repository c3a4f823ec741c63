import type { Message } from '../../../runtime/texts/message.ts'

/** An untrustworthy client or request, with a message for the person whom it sent. */
export class ClientFault extends Error {
  readonly sentence: Message
  constructor(sentence: Message) {
    super(String(sentence))
    this.sentence = sentence
  }
}
