export interface Scene {
	boards: unknown[];
}
