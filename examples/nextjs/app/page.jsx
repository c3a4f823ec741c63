import { signUp } from './actions.js'

export default function Page() {
  return (
    <form action={signUp}>
      <h1>Shop</h1>
      <button>Sign up</button>
    </form>
  )
}
