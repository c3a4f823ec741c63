/** English texts, each with what it is in one language. `{name}` is a blank, for what is put there. */
export type Texts = Readonly<Record<string, string>>
