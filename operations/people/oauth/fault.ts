/** A client or request that cannot be trusted, in words for the person whom it sent here. */
export class ClientFault extends Error {}
