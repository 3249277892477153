export interface UsernameForManagersProps {
  readonly username: string
}

/** Unseen, but tells password managers whose password the form is about. */
export function UsernameForManagers({ username }: UsernameForManagersProps) {
  return (
    <div hidden>
      <label for="account-username">User name</label>
      <input id="account-username" type="text" value={username} autocomplete="username" readonly />
    </div>
  )
}
