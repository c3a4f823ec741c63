/** What is wrong with a client, in words for the person whom it sent here. */
export class ClientFault extends Error {}
