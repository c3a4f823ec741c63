import { hook } from '../../../runtime/events/hook.ts'

export interface SignedUp {
  readonly accountId: string
  readonly workspaceId: string
  readonly email: string
  /** When the person signed up. */
  readonly askedAt: number
  readonly code: string | null
  readonly via: 'link' | 'box'
}

export const signed_up = hook<SignedUp>('a person signed up')
