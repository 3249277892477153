export function bundleStyles(): Promise<string>
