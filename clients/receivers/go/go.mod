module till.example/receiver

go 1.20
