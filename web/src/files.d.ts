declare module '*.kif' {
	const text: string;
	export default text;
}
declare module '*.css';
