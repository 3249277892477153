export interface DeploymentRecord {
  readonly domain: string
  readonly owner: string
  readonly email: string
  readonly plan: 'free' | 'paid'
  readonly variables: Readonly<Record<string, string>>
}

export function readDeployment(folder: string): DeploymentRecord | null
export function saveDeployment(folder: string, deployment: object): DeploymentRecord
