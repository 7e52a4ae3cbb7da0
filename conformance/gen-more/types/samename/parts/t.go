package parts

type Mode string
