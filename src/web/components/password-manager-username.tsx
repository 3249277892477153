export interface PasswordManagerUsernameProps {
  readonly username: string
}

/** Unseen, but tells password managers whose password the form is about. */
export function PasswordManagerUsername({ username }: PasswordManagerUsernameProps) {
  return (
    <div hidden>
      <label for="account-username">User name</label>
      <input id="account-username" type="text" value={username} autocomplete="username" readonly />
    </div>
  )
}
