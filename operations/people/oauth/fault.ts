import type { Message } from '../../../runtime/texts/message.ts'

/** A client or request that cannot be trusted, in words for the person whom it sent here. */
export class ClientFault extends Error {
  readonly sentence: Message
  constructor(sentence: Message) {
    super(String(sentence))
    this.sentence = sentence
  }
}
