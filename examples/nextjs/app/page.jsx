import { signUp } from './actions.js'

export default function Page() {
  return (
    <form action={signUp}>
      <h1>Shop</h1>
      <button type="submit">Sign up</button>
    </form>
  )
}
