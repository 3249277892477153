export interface PasswordManagerUsernameProps {
  readonly username: string
}

/** Hidden field that names the account of a password for password managers. */
export function PasswordManagerUsername({ username }: PasswordManagerUsernameProps) {
  return (
    <div hidden>
      <label for="account-username">User name</label>
      <input id="account-username" type="text" value={username} autocomplete="username" readonly />
    </div>
  )
}
